/**
 * One counter for all that processes follow: properties, partners, credentials, handoff keys, operator tokens. Every
 * write of these increments it first, in the same transaction, and stamps the rows that it changes; revisions therefore
 * appear in commit order.
 */
export type Revision = number;
