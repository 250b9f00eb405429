/**
 * One kept-alive HTTP/1.1 connection that sends a ready request, waits for the whole answer, and reads no more of it
 * than its status and its length: the load must cost less than what it measures.
 *
 * Answers without `Content-Length` are refused; every contestant sends it.
 */
import { connect, type Socket } from 'node:net';

const RECEIVE_BYTES = 65_536;
/** Heads of the measured servers are far below; a longer one is a mistake. */
const HEAD_BYTES_MAX = 8192;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_AT = 'HTTP/1.1 '.length;

export interface KeepAliveConnection {
  send(request: Buffer): void;
  close(): void;
  /** For the one who sends: when the request under way was due. */
  dueAtMs: number;
}

export interface ConnectionEvents {
  /** The answer under way is complete. `bytes` counts head and body. */
  readonly onAnswer: (connection: KeepAliveConnection, status: number, bytes: number) => void;
  readonly onError: (error: Error) => void;
}

/** Resolves once connected to the loopback port. */
export function openConnection(port: number, events: ConnectionEvents): Promise<KeepAliveConnection> {
  return new Promise((resolve, reject) => {
    const connection = new RawConnection(port, events);
    connection.socket.once('connect', () => resolve(connection));
    connection.socket.once('error', reject);
  });
}

class RawConnection implements KeepAliveConnection {
  readonly socket: Socket;
  dueAtMs = 0;
  readonly #events: ConnectionEvents;
  #isClosed = false;
  /** Head bytes that came without their end. */
  #partialHead = '';
  #status = 0;
  #answerBytes = 0;
  #bytesLeft = 0;

  constructor(port: number, events: ConnectionEvents) {
    this.#events = events;
    const onread = {
      buffer: Buffer.allocUnsafe(RECEIVE_BYTES),
      callback: (length: number, buffer: Uint8Array): boolean => {
        this.#receive(buffer as Buffer, length);
        return true;
      },
    };
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.socket.on('error', (error) => this.#fail(error));
    this.socket.on('close', () => this.#fail(new Error('the server closed a connection under load')));
  }

  send(request: Buffer): void {
    this.socket.write(request);
  }

  close(): void {
    this.#isClosed = true;
    this.socket.destroy();
  }

  #receive(buffer: Buffer, length: number): void {
    if (this.#bytesLeft === 0) this.#readHead(buffer, length);
    else this.#bytesLeft -= length;
    if (this.#bytesLeft < 0) this.#fail(new Error('more bytes than the answer has'));
    else if (this.#bytesLeft === 0 && this.#partialHead === '') {
      this.#events.onAnswer(this, this.#status, this.#answerBytes);
    }
  }

  /** Sets what is left of the answer behind the bytes at hand. */
  #readHead(buffer: Buffer, length: number): void {
    const seenBytes = this.#partialHead.length;
    const text = this.#partialHead + buffer.toString('latin1', 0, Math.min(length, HEAD_BYTES_MAX));
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) {
      if (text.length >= HEAD_BYTES_MAX) this.#fail(new Error('an answer without an end of its head'));
      this.#partialHead = text;
      return;
    }
    this.#partialHead = '';
    const match = CONTENT_LENGTH.exec(text);
    if (match === null) {
      this.#fail(new Error(`an answer without Content-Length: ${text.slice(0, end)}`));
      return;
    }
    this.#status = Number(text.slice(STATUS_AT, STATUS_AT + 3));
    this.#answerBytes = end + 4 + Number(match[1]);
    this.#bytesLeft = this.#answerBytes - seenBytes - length;
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.close();
    this.#events.onError(error);
  }
}
