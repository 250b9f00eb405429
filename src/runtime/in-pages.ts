/** A list page by page. `read` gets the last row of the page before (undefined: there is none), and the size of a page. */
export async function* inPages<Row>(
  pageSize: number,
  read: (last: Row | undefined, pageSize: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let last: Row | undefined;
  do {
    const rows = await read(last, pageSize);
    if (rows.length > 0) yield rows;
    last = rows.length < pageSize ? undefined : rows.at(-1);
  } while (last !== undefined);
}
