/**
 * Messages between the service and the process that reads: a JSON head and a body of bytes. Lengths go first, so that
 * the receiver allocates each body once; a document of 200 MB is in memory once, not three times.
 */
export interface Frame {
  readonly head: unknown;
  readonly body: Buffer;
}

const LENGTHS = 8;

/** The pieces to write, in order; the body is not copied. */
export function encodeFrame(head: unknown, body: Uint8Array = new Uint8Array()): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(head), 'utf8');
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(body.length, 4);
  return [lengths, json, body];
}

/** Collects chunks as they arrive and calls back for each whole frame. */
export function createFrameDecoder(onFrame: (frame: Frame) => void): (chunk: Uint8Array) => void {
  const lengths = Buffer.alloc(LENGTHS);
  let content: Buffer | undefined;
  let filled = 0;
  return (chunk) => {
    let offset = 0;
    while (offset < chunk.length || (content && content.length === filled)) {
      const target = content ?? lengths;
      const taken = Math.min(target.length - filled, chunk.length - offset);
      target.set(chunk.subarray(offset, offset + taken), filled);
      offset += taken;
      filled += taken;
      if (filled < target.length) return;
      filled = 0;
      if (!content) {
        content = Buffer.allocUnsafeSlow(lengths.readUInt32LE(0) + lengths.readUInt32LE(4));
        continue;
      }
      const whole = content;
      const headLength = lengths.readUInt32LE(0);
      content = undefined;
      onFrame({
        head: JSON.parse(whole.toString('utf8', 0, headLength)),
        body: whole.subarray(headLength),
      });
    }
  };
}
