/** A node of the reading order: what it holds is drawn when it is added. */
export interface Element {
  add(child: Element | (() => void)): unknown;
  end(): void;
}

/** The reading order of a PDF for assistive technology. */
export interface Structure {
  readonly root: Element;
  element(type: string, options?: object): Element;
  /** Draws what is for the eye only: rules, grounds, repeated heads, page numbers. */
  artifact(type: 'Pagination' | 'Layout', draw: () => void): void;
}

export function openStructure(doc: PDFKit.PDFDocument): Structure {
  const root = doc.struct('Document');
  doc.addStructure(root);
  type Child = Parameters<typeof root.add>[0];
  const wrap = (own: typeof root): Element & { readonly own: typeof root } => ({
    own,
    add: (child) => own.add((typeof child === 'function' ? child : (child as { own?: Child }).own) as Child),
    end: () => own.end(),
  });
  return {
    root: wrap(root),
    element: (type, options = {}) => wrap(doc.struct(type, options)),
    artifact(type, draw) {
      doc.markContent('Artifact', { type });
      draw();
      doc.endMarkedContent();
    },
  };
}

/** Draws only. The structure of thousands of pages would have to be kept in memory until the end. */
export function withoutStructure(): Structure {
  const element: Element = {
    add: (child) => {
      if (typeof child === 'function') child();
    },
    end: () => undefined,
  };
  return { root: element, element: () => element, artifact: (_, draw) => draw() };
}
