/**
 * Opens many connections to the port in the order of argv[2] (JSON, see `FloodOrder`) from many loopback addresses,
 * sends the same bytes on each when all are open, and never reads. Prints `open` when it has sent; ends with its
 * standard input.
 */
import { connect, type Socket } from 'node:net';

export interface FloodOrder {
  readonly port: number;
  readonly connections: number;
  /** 127.0.0.2 and following; 1 is 127.0.0.1 alone. */
  readonly addresses: number;
  /** Sent on each connection once all were tried. */
  readonly text: string;
  /** How often. */
  readonly times: number;
  /** Opens connections again that the server ends. */
  readonly isStubborn?: boolean;
}

const OPENING_MAX = 200;
const RETRY_MS = 100;

const order = JSON.parse(String(process.argv[2])) as FloodOrder;
const bytes = Buffer.from(order.text.repeat(order.times), 'latin1');
const sockets = new Set<Socket>();
let started = 0;
let settledCount = 0;
let isSending = false;
let isOver = false;

function open(index: number, onSettled: () => void): void {
  if (isOver) return onSettled();
  const localAddress = order.addresses === 1 ? '127.0.0.1' : `127.0.0.${2 + (index % order.addresses)}`;
  const socket = connect({ port: order.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  sockets.add(socket);
  socket.pause();
  let isSettled = false;
  const settle = (): void => {
    if (!isSettled) onSettled();
    isSettled = true;
  };
  socket.once('connect', () => {
    if (isSending) socket.write(bytes);
    settle();
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    sockets.delete(socket);
    settle();
    if (order.isStubborn === true && !isOver) setTimeout(() => open(index, () => {}), RETRY_MS);
  });
}

function openNext(): void {
  if (started >= order.connections) return;
  const index = started;
  started += 1;
  open(index, () => {
    settledCount += 1;
    if (settledCount === order.connections) sendAll();
    openNext();
  });
}

function sendAll(): void {
  isSending = true;
  for (const socket of sockets) if (socket.writable) socket.write(bytes);
  process.stdout.write('open\n');
}

for (let count = 0; count < OPENING_MAX; count += 1) openNext();
process.stdin.resume().on('end', () => {
  isOver = true;
  for (const socket of sockets) socket.destroy();
  process.stdout.write('over\n', () => process.exit(0));
});
