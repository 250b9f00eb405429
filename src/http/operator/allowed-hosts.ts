/**
 * Which Host headers the operator listener answers. A page in the operator's browser could reach it through a DNS name
 * of its own that leads here (DNS rebinding); such a name has a dot, and nobody configured it.
 */
import { isIP } from 'node:net';

/** Judges the value of a Host header; a request without one is not from a browser. */
export type HostCheck = (host: string | undefined) => boolean;

/** Addresses and names without a dot are always allowed: neither can be had from a foreign DNS server. */
export function allowHosts(configured: readonly string[]): HostCheck {
  const allowed = new Set(configured.map((host) => host.toLowerCase()));
  return (host) => {
    if (host === undefined || host === '') return true;
    const name = nameOf(host);
    return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost') || allowed.has(name);
  };
}

/** Without port, brackets and the dot of the root. */
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host);
  if (bracketed !== null) return bracketed[1] ?? '';
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
