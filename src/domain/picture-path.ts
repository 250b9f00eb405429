/** Paths of pictures below the operator's folder, as documents name them and as browsers ask for them. */

/** What would mean something else in a URL, or on another file system: escapes, queries, drives, backslashes. */
const AMBIGUOUS = /[%?#:\\\p{Cc}]/u;

/** Names of files joined by `/`; undefined when it is one, else what is wrong: the beginning of a sentence. */
export function findPicturePathProblem(path: string): string | undefined {
  if (AMBIGUOUS.test(path) || !path.isWellFormed())
    return 'must be a path below the folder of pictures, without any of % ? # : \\ and control characters';
  // Windows takes `a.jpg.` and `a.jpg ` for `a.jpg`.
  if (path.split('/').every((name) => name !== '' && !name.startsWith('.') && !/[. ]$/.test(name)))
    return undefined;
  return 'must be a path below the folder of pictures, such as "hotel-ponte/front.jpg", without "..", hidden files, and a slash in front or doubled';
}
