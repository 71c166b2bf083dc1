import type { XmlAttributes } from '../../files/xml.js';

/** Where a shape stands on its slide, in English Metric Units (360 000 a centimetre). */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Follows shapes and groups and tells where they stand; undefined where the file leaves that to a layout. */
export interface PlaceReader {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** Of the shape or group that is open. */
  place(): Place | undefined;
}

/** From the coordinates inside a group to those of the slide. */
interface Frame {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly shiftX: number;
  readonly shiftY: number;
}

interface Transform {
  rotated: boolean;
  off?: readonly [number, number];
  ext?: readonly [number, number];
  innerOff?: readonly [number, number];
  innerExt?: readonly [number, number];
}

const SLIDE: Frame = { scaleX: 1, scaleY: 1, shiftX: 0, shiftY: 0 };

export function createPlaceReader(): PlaceReader {
  /** `undefined`: a group that does not tell where it stands. */
  const frames: (Frame | undefined)[] = [SLIDE];
  const own: (Place | undefined)[] = [];
  let transform: Transform | undefined;

  const pair = (a: string | undefined, b: string | undefined) => [Number(a), Number(b)] as const;

  return {
    open(name, attributes) {
      if (name === 'p:grpSp') {
        frames.push(undefined);
        own.push(undefined);
      } else if (name === 'p:sp' || name === 'p:pic' || name === 'p:graphicFrame' || name === 'p:cxnSp') {
        own.push(undefined);
      } else if (name === 'a:xfrm' || name === 'p:xfrm')
        transform = { rotated: Number(attributes.rot ?? 0) !== 0 };
      else if (!transform) return;
      else if (name === 'a:off') transform.off = pair(attributes.x, attributes.y);
      else if (name === 'a:ext') transform.ext = pair(attributes.cx, attributes.cy);
      else if (name === 'a:chOff') transform.innerOff = pair(attributes.x, attributes.y);
      else if (name === 'a:chExt') transform.innerExt = pair(attributes.cx, attributes.cy);
    },
    close(name) {
      if (name === 'p:grpSp') frames.pop();
      if (/^p:(?:grpSp|sp|pic|graphicFrame|cxnSp)$/.test(name)) own.pop();
      if ((name !== 'a:xfrm' && name !== 'p:xfrm') || !transform || own.length === 0) return;
      const isGroup = transform.innerOff !== undefined && transform.innerExt !== undefined;
      const outside = isGroup ? frames.at(-2) : frames.at(-1);
      own[own.length - 1] = placed(transform, outside);
      if (isGroup && frames.length > 1) frames[frames.length - 1] = inside(transform, outside);
      transform = undefined;
    },
    place: () => own.at(-1),
  };
}

function placed({ off, ext, rotated }: Transform, frame: Frame | undefined): Place | undefined {
  if (!off || !ext || !frame) return undefined;
  const [x, y] = off;
  const [width, height] = ext;
  // Turned, it reaches no further than this around its middle.
  const more = rotated ? Math.hypot(width, height) / 2 : 0;
  const place = {
    left: (x - more) * frame.scaleX + frame.shiftX,
    top: (y - more) * frame.scaleY + frame.shiftY,
    right: (x + width + more) * frame.scaleX + frame.shiftX,
    bottom: (y + height + more) * frame.scaleY + frame.shiftY,
  };
  return Object.values(place).every(Number.isFinite) ? place : undefined;
}

function inside(
  { off, ext, innerOff, innerExt, rotated }: Transform,
  outer: Frame | undefined,
): Frame | undefined {
  if (!off || !ext || !innerOff || !innerExt || !outer || rotated) return undefined;
  const scaleX = (ext[0] / innerExt[0]) * outer.scaleX;
  const scaleY = (ext[1] / innerExt[1]) * outer.scaleY;
  const frame = {
    scaleX,
    scaleY,
    shiftX: off[0] * outer.scaleX + outer.shiftX - innerOff[0] * scaleX,
    shiftY: off[1] * outer.scaleY + outer.shiftY - innerOff[1] * scaleY,
  };
  return Object.values(frame).every(Number.isFinite) ? frame : undefined;
}

/** Whether two places have something in common; what is not known may be anywhere. */
export function mayMeet(a: Place | undefined, b: Place | undefined): boolean {
  if (!a || !b) return true;
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
