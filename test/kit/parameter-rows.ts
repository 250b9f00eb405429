/** Bounds of the parameters that operations share, at the limit and one beyond (SPEC 4, 8). */

/** Each row: what follows `?`, then the issues as `field CODE`; none means that it is accepted. */
export type Rows = readonly (readonly [query: string, ...issues: string[]])[];

export const GOOD_STAY = 'checkIn=2026-12-01&checkOut=2026-12-04';
/** One code point, two units of UTF-16, four bytes of UTF-8. */
const ASTRAL = encodeURIComponent('𝔸');

export const CITY: Rows = [
  ['city=V'],
  [`city=${'v'.repeat(120)}`],
  [`city=${'v'.repeat(121)}`, 'city LENGTH_INVALID'],
  [`city=${ASTRAL.repeat(120)}`],
  [`city=${ASTRAL.repeat(121)}`, 'city LENGTH_INVALID'],
  [`city=++${'v'.repeat(120)}%20`],
  ['city=', 'city LENGTH_INVALID'],
  ['city', 'city LENGTH_INVALID'],
  ['city=+%20+', 'city LENGTH_INVALID'],
  ['', 'city REQUIRED'],
  ['city=Venezia&city=Venezia', 'city DUPLICATE_PARAMETER'],
  ['city=%zz', 'city FORMAT_INVALID'],
  ['city=%ff', 'city FORMAT_INVALID'],
  ['city=Vene%00zia', 'city FORMAT_INVALID'],
  ['city=Vene%0Azia', 'city FORMAT_INVALID'],
];
export const COUNTRY: Rows = [
  ['country=IT'],
  ['country=ZZ'],
  ['country=I', 'country FORMAT_INVALID'],
  ['country=ITA', 'country FORMAT_INVALID'],
  ['country=it', 'country FORMAT_INVALID'],
  ['country=', 'country FORMAT_INVALID'],
  ['country=IT&country=FR', 'country DUPLICATE_PARAMETER'],
];
export const GUESTS: Rows = [
  ['guests=1'],
  ['guests=30'],
  ['guests=0', 'guests OUT_OF_RANGE'],
  ['guests=31', 'guests OUT_OF_RANGE'],
  ['guests=-1', 'guests OUT_OF_RANGE'],
  ['guests=99999999999999999999', 'guests OUT_OF_RANGE'],
  ['guests=two', 'guests TYPE_INVALID'],
  ['guests=', 'guests TYPE_INVALID'],
  ['guests=2.0', 'guests TYPE_INVALID'],
  ['guests=%202', 'guests TYPE_INVALID'],
  ['guests=%2B2', 'guests TYPE_INVALID'],
  ['guests=02', 'guests TYPE_INVALID'],
  ['guests=2e0', 'guests TYPE_INVALID'],
  ['guests=0x2', 'guests TYPE_INVALID'],
  ['guests=2&guests=2', 'guests DUPLICATE_PARAMETER'],
];
export const PAGE: Rows = [
  ['page=1'],
  ['page=9007199254740991'],
  ['page=9007199254740992', 'page OUT_OF_RANGE'],
  ['page=0', 'page OUT_OF_RANGE'],
  ['page=one', 'page TYPE_INVALID'],
  ['page=1.5', 'page TYPE_INVALID'],
];
export const PAGE_SIZE: Rows = [
  ['pageSize=1'],
  ['pageSize=50'],
  ['pageSize=0', 'pageSize OUT_OF_RANGE'],
  ['pageSize=51', 'pageSize OUT_OF_RANGE'],
  ['pageSize=all', 'pageSize TYPE_INVALID'],
];
export const LOCALE: Rows = [
  ['locale=it-IT'],
  ['locale=en-GB'],
  ['locale=de-DE', 'locale NOT_ALLOWED'],
  ['locale=it', 'locale NOT_ALLOWED'],
  ['locale=en-gb', 'locale NOT_ALLOWED'],
  ['locale=', 'locale NOT_ALLOWED'],
];
export const UNKNOWN: Rows = [
  ['sort=price', 'sort UNKNOWN_PARAMETER'],
  ['Locale=it-IT', 'Locale UNKNOWN_PARAMETER'],
  ['guests%5B%5D=2', 'guests[] UNKNOWN_PARAMETER'],
  ['access_token=x', 'access_token UNKNOWN_PARAMETER'],
  ['=x', '"" UNKNOWN_PARAMETER'],
  ['a=1&b=2', 'a UNKNOWN_PARAMETER', 'b UNKNOWN_PARAMETER'],
];

/** Both dates wherever they are taken. */
export const DATES: Rows = [
  [GOOD_STAY],
  ['checkIn=2028-02-29&checkOut=2028-03-01'],
  ['checkIn=0001-01-01&checkOut=0001-01-02'],
  ['checkIn=9999-12-30&checkOut=9999-12-31'],
  ['checkIn=2026-02-29&checkOut=2026-03-01', 'checkIn DATE_INVALID'],
  ['checkIn=2026-12-31&checkOut=2026-12-32', 'checkOut DATE_INVALID'],
  ['checkIn=2026-13-01&checkOut=2026-00-10', 'checkIn DATE_INVALID', 'checkOut DATE_INVALID'],
  ['checkIn=0000-12-31&checkOut=0001-01-01', 'checkIn DATE_INVALID'],
  ['checkIn=2026-12-1&checkOut=2026-12-04', 'checkIn FORMAT_INVALID'],
  ['checkIn=20261201&checkOut=2026-12-04', 'checkIn FORMAT_INVALID'],
  ['checkIn=2026-12-01T00:00&checkOut=2026-12-04', 'checkIn FORMAT_INVALID'],
  ['checkIn=01/12/2026&checkOut=+2026-12-04', 'checkIn FORMAT_INVALID', 'checkOut FORMAT_INVALID'],
  ['checkIn=&checkOut=', 'checkIn FORMAT_INVALID', 'checkOut FORMAT_INVALID'],
  ['checkIn=2026-12-04&checkOut=2026-12-04', 'checkOut DATE_ORDER_INVALID'],
  ['checkIn=2026-12-04&checkOut=2026-12-01', 'checkOut DATE_ORDER_INVALID'],
  ['checkIn=2026-12-01&checkOut=2027-01-30'],
  ['checkIn=2026-12-01&checkOut=2027-01-31', 'checkOut STAY_TOO_LONG'],
  [`${GOOD_STAY}&checkIn=2026-12-02`, 'checkIn DUPLICATE_PARAMETER'],
];
