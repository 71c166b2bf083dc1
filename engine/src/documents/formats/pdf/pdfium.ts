import { setFlagsFromString } from 'node:v8';
import { PDFiumModule } from '@hyzyla/pdfium';

/** A pointer into the module's memory; 0 stands for "none". */
export type Pointer = number;

/**
 * The functions of PDFium that the reader calls, as exported by the wasm module itself. The package's own
 * wrappers check their arguments on every call, which costs five times the call; here there is one call for
 * every character.
 */
interface PdfiumExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): Pointer;
  free(pointer: Pointer): void;
  FPDF_InitLibrary(): void;
  FPDF_GetLastError(): number;
  FPDF_LoadMemDocument(bytes: Pointer, length: number, password: Pointer): Pointer;
  FPDF_CloseDocument(document: Pointer): void;
  FPDF_GetPageCount(document: Pointer): number;
  FPDF_GetMetaText(document: Pointer, tag: Pointer, buffer: Pointer, length: number): number;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_ClosePage(page: Pointer): void;
  FPDF_GetPageBoundingBox(page: Pointer, rectangle: Pointer): number;
  FPDFPage_GetAnnotCount(page: Pointer): number;
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer;
  FPDFPage_CloseAnnot(annotation: Pointer): void;
  FPDFAnnot_GetSubtype(annotation: Pointer): number;
  FPDFAnnot_GetStringValue(annotation: Pointer, key: Pointer, buffer: Pointer, length: number): number;
  FPDFPage_Flatten(page: Pointer, usage: number): number;
  FPDF_RenderPageBitmap(
    bitmap: Pointer,
    page: Pointer,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
  FPDFPage_GetRotation(page: Pointer): number;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDF_PageToDevice(
    page: Pointer,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: Pointer,
    deviceY: Pointer,
  ): number;
  FPDFBitmap_Create(width: number, height: number, alpha: number): Pointer;
  FPDFBitmap_FillRect(
    bitmap: Pointer,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): void;
  FPDFBitmap_GetBuffer(bitmap: Pointer): Pointer;
  FPDFBitmap_GetStride(bitmap: Pointer): number;
  FPDFBitmap_Destroy(bitmap: Pointer): void;
  FPDFPage_CountObjects(page: Pointer): number;
  FPDFPage_GetObject(page: Pointer, index: number): Pointer;
  FPDFPageObj_GetType(object: Pointer): number;
  FPDFPageObj_GetBounds(
    object: Pointer,
    left: Pointer,
    bottom: Pointer,
    right: Pointer,
    top: Pointer,
  ): number;
  FPDFPageObj_GetMatrix(object: Pointer, matrix: Pointer): number;
  FPDFPageObj_GetMarkedContentID(object: Pointer): number;
  FPDFPageObj_CountMarks(object: Pointer): number;
  FPDFPageObj_GetMark(object: Pointer, index: number): Pointer;
  FPDFPageObjMark_GetName(mark: Pointer, buffer: Pointer, length: number, written: Pointer): number;
  FPDFPageObj_SetIsActive(object: Pointer, active: number): number;
  FPDFPageObj_GetFillColor(
    object: Pointer,
    red: Pointer,
    green: Pointer,
    blue: Pointer,
    alpha: Pointer,
  ): number;
  FPDFPageObj_GetStrokeColor(
    object: Pointer,
    red: Pointer,
    green: Pointer,
    blue: Pointer,
    alpha: Pointer,
  ): number;
  FPDFPageObj_GetClipPath(object: Pointer): Pointer;
  FPDFClipPath_CountPaths(clip: Pointer): number;
  FPDFClipPath_CountPathSegments(clip: Pointer, path: number): number;
  FPDFClipPath_GetPathSegment(clip: Pointer, path: number, index: number): Pointer;
  FPDFPath_CountSegments(path: Pointer): number;
  FPDFPath_GetPathSegment(path: Pointer, index: number): Pointer;
  FPDFPath_GetDrawMode(path: Pointer, fillMode: Pointer, stroke: Pointer): number;
  FPDFPathSegment_GetPoint(segment: Pointer, x: Pointer, y: Pointer): number;
  FPDFPathSegment_GetType(segment: Pointer): number;
  FPDFPathSegment_GetClose(segment: Pointer): number;
  FPDFFormObj_CountObjects(form: Pointer): number;
  FPDFFormObj_GetObject(form: Pointer, index: number): Pointer;
  FPDFText_LoadPage(page: Pointer): Pointer;
  FPDFText_ClosePage(text: Pointer): void;
  FPDFText_CountChars(text: Pointer): number;
  FPDFText_GetUnicode(text: Pointer, index: number): number;
  FPDFText_GetTextObject(text: Pointer, index: number): Pointer;
  FPDFText_GetLooseCharBox(text: Pointer, index: number, rectangle: Pointer): number;
  FPDFText_GetCharOrigin(text: Pointer, index: number, x: Pointer, y: Pointer): number;
  FPDFText_GetMatrix(text: Pointer, index: number, matrix: Pointer): number;
  FPDFText_GetFontSize(text: Pointer, index: number): number;
  FPDFText_HasUnicodeMapError(text: Pointer, index: number): number;
  FPDFTextObj_GetFont(object: Pointer): Pointer;
  FPDFTextObj_GetTextRenderMode(object: Pointer): number;
  FPDFFont_GetWeight(font: Pointer): number;
  FPDFFont_GetFlags(font: Pointer): number;
  FPDFFont_GetBaseFontName(font: Pointer, buffer: Pointer, length: number): number;
  FPDFBookmark_GetFirstChild(document: Pointer, bookmark: Pointer): Pointer;
  FPDFBookmark_GetNextSibling(document: Pointer, bookmark: Pointer): Pointer;
  FPDFBookmark_GetTitle(bookmark: Pointer, buffer: Pointer, length: number): number;
  FPDFBookmark_GetDest(document: Pointer, bookmark: Pointer): Pointer;
  FPDFBookmark_GetAction(bookmark: Pointer): Pointer;
  FPDFAction_GetDest(document: Pointer, action: Pointer): Pointer;
  FPDFDest_GetDestPageIndex(document: Pointer, destination: Pointer): number;
  FPDFCatalog_IsTagged(document: Pointer): number;
  FPDF_StructTree_GetForPage(page: Pointer): Pointer;
  FPDF_StructTree_Close(tree: Pointer): void;
  FPDF_StructTree_CountChildren(tree: Pointer): number;
  FPDF_StructTree_GetChildAtIndex(tree: Pointer, index: number): Pointer;
  FPDF_StructElement_GetType(element: Pointer, buffer: Pointer, length: number): number;
  FPDF_StructElement_CountChildren(element: Pointer): number;
  FPDF_StructElement_GetChildAtIndex(element: Pointer, index: number): Pointer;
  FPDF_StructElement_GetChildMarkedContentID(element: Pointer, index: number): number;
  FPDF_StructElement_GetMarkedContentIdCount(element: Pointer): number;
  FPDF_StructElement_GetMarkedContentIdAtIndex(element: Pointer, index: number): number;
  FPDF_StructElement_GetAltText(element: Pointer, buffer: Pointer, length: number): number;
}

export const LOAD_ERROR = { password: 4, security: 5 } as const;
export const OBJECT_TYPE = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const;

/** The module with its memory: `scratch` is room for 64 numbers that out-parameters may use. */
export interface Pdfium {
  readonly api: PdfiumExports;
  readonly scratch: Pointer;
  /** Views are made anew when the memory has grown; take them after the call whose result is read. */
  floats(): Float32Array;
  doubles(): Float64Array;
  bytes(): Uint8Array;
  words(): Int32Array;
}

let loading: Promise<Pdfium> | undefined;

/** The one module of this process, compiled on first use. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= instantiate();
  return loading;
}

/** After a trap the module's state is unknown: the next `loadPdfium` makes a new one. */
export function discardPdfium(): void {
  loading = undefined;
}

/** Calls `write(buffer, bytes)`, which says how many bytes it needs, and decodes what it wrote. */
export function readString(
  pdfium: Pdfium,
  encoding: 'utf16le' | 'utf8',
  write: (buffer: Pointer, length: number) => number,
): string {
  const length = write(0, 0);
  if (length <= 0 || length > 1 << 20) return '';
  const buffer = pdfium.api.malloc(length);
  try {
    write(buffer, length);
    const text = Buffer.from(pdfium.bytes().subarray(buffer, buffer + length)).toString(encoding);
    return text.replace(/\0+$/, '');
  } finally {
    pdfium.api.free(buffer);
  }
}

/**
 * How long a function has to run before V8 compiles it anew, optimised: wasm functions in bytes executed, script in
 * bytes of bytecode. By default that happens so early that compiling takes half of the time of reading one file;
 * a reading process often reads only one. Measured: a quarter less for a first file, no difference for later ones.
 */
const TIERING = ['--wasm-tiering-budget=100000000', '--interrupt-budget=2000000'];

async function instantiate(): Promise<Pdfium> {
  for (const flag of TIERING) setFlagsFromString(flag);
  const module = await PDFiumModule({});
  const api = module.wasmExports as unknown as PdfiumExports;
  api.FPDF_InitLibrary();
  let floats = new Float32Array(api.memory.buffer);
  let doubles = new Float64Array(api.memory.buffer);
  let bytes = new Uint8Array(api.memory.buffer);
  let words = new Int32Array(api.memory.buffer);
  return {
    api,
    scratch: api.malloc(512),
    floats() {
      if (floats.buffer !== api.memory.buffer) floats = new Float32Array(api.memory.buffer);
      return floats;
    },
    doubles() {
      if (doubles.buffer !== api.memory.buffer) doubles = new Float64Array(api.memory.buffer);
      return doubles;
    },
    bytes() {
      if (bytes.buffer !== api.memory.buffer) bytes = new Uint8Array(api.memory.buffer);
      return bytes;
    },
    words() {
      if (words.buffer !== api.memory.buffer) words = new Int32Array(api.memory.buffer);
      return words;
    },
  };
}
