import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of an archive made by a test; the odd fields let a test lie about it. */
export interface TestEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** Size that the directory declares instead of the real one. */
  readonly declaredSize?: number;
  /** Marks the entry as encrypted. */
  readonly encrypted?: boolean;
  /** Kind and permissions of the file as Unix writes them. */
  readonly mode?: number;
}

/** A ZIP file as offices write it: every entry deflated, directory at the end. */
export function zipFile(entries: readonly TestEntry[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const packed = deflateRawSync(content, { level: 9 });
    const name = Buffer.from(entry.name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.encrypted ? 1 : 0, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.declaredSize ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, packed);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, name);
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...directory, end]);
}
