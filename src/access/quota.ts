/** The most requests per 60 seconds that a credential can be given. */
export const QUOTA_MAX = 1_000_000;
