/**
 * Room on the disk for what an operator must be able to do when it is full: revoke a credential, disable a partner.
 *
 * Quotes and imports stop before the disk is full, so that they never take what is left. And because logs or other
 * programs may take it, a file of some size lies beside the database: an administrative write that fails for lack of
 * space removes it and tries once more. The next start of the service with enough space creates it again.
 */
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageUnavailable } from '../errors.ts';

const MIB = 1024 * 1024;
/** An administrative write appends some 40 KB to the log: space for fifty of them. */
export const RESERVE_BYTES = 2 * MIB;
/** Twice as much, so that quotes don't take what the reserve has just given free. */
export const ROOM_BYTES_MIN = 2 * RESERVE_BYTES;

/** For quotes and imports; throws `StorageUnavailable`. A file system that can't report its free space has enough. */
export function assertRoom(path: string): void {
  const bytes = freeBytes(path);
  if (bytes === undefined || bytes >= ROOM_BYTES_MIN) return;
  const free = `${(bytes / MIB).toFixed(1)} MiB are free in ${dirname(path)}`;
  throw new StorageUnavailable(
    `the disk is almost full: ${free}, and less than ${ROOM_BYTES_MIN / MIB} MiB are left to administration; free some space there`,
  );
}

/** Creates the reserve if it is missing and the disk has much space; ignores failures. */
export function writeReserve(path: string): void {
  if (statSync(reserveOf(path), { throwIfNoEntry: false }) !== undefined) return;
  if ((freeBytes(path) ?? 0) < ROOM_BYTES_MIN + 2 * RESERVE_BYTES) return;
  try {
    // Random, because some file systems store zeros without taking room.
    writeFileSync(reserveOf(path), randomBytes(RESERVE_BYTES), { mode: 0o600, flag: 'wx' });
  } catch {
    removeReserve(path);
  }
}

/** Gives the reserve free, where the disk has no other room; whether that may have helped. */
export function releaseReserve(path: string): boolean {
  const bytes = freeBytes(path);
  return bytes !== undefined && bytes < RESERVE_BYTES && removeReserve(path);
}

function removeReserve(path: string): boolean {
  try {
    rmSync(reserveOf(path));
    return true;
  } catch {
    return false;
  }
}

function reserveOf(path: string): string {
  return `${path}-reserve`;
}

function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
