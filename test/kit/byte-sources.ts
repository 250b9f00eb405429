/** Bytes as a file that importers read, as often as they like. */
import { ByteSource } from '../../src/supply/text/byte-source.ts';

export function sourceOf(file: string, content: string | Uint8Array): ByteSource {
  return new ByteSource(file, {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(content);
    },
  });
}
