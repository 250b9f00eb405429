/**
 * The codes of ISO 4217 that are in use (List One), with the fund and metal codes, without `XXX` (no currency) and
 * `XTS` (reserved for tests). A table of our own, because `Intl.supportedValuesOf('currency')` also answers codes
 * that were withdrawn decades ago. BGN stays beside EUR: price lists from before 2026 are still being imported.
 */
export const CURRENCY_CODES: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE ' +
    'CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ ' +
    'GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL ' +
    'LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR ' +
    'PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY ' +
    'TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD ' +
    'XPF XPT XSU XUA YER ZAR ZMW ZWG'
  ).split(' '),
);

/**
 * All other currencies have two digits. CLDR, and so `Intl`, has the customary numbers of a dozen currencies instead.
 */
const MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ...withDigits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDigits(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDigits(4, 'CLF UYW'),
]);
const MINOR_DIGITS_USUAL = 2;

/** The minor unit of ISO 4217: 12000 is 120.00 EUR (2), 12000 JPY (0), 12.000 KWD (3). */
export function minorDigitsOf(currency: string): number {
  return MINOR_DIGITS.get(currency) ?? MINOR_DIGITS_USUAL;
}

/**
 * The smallest amount that can be paid, in hundredths: 100 for JPY, 1 for EUR. Amounts on the wire have two decimals
 * (SPEC 2), so one of a currency with three digits is rounded to hundredths too.
 */
export function payableUnitOf(currency: string): number {
  return Math.max(1, 10 ** (2 - minorDigitsOf(currency)));
}

function withDigits(digits: number, codes: string): (readonly [string, number])[] {
  return codes.split(' ').map((code) => [code, digits] as const);
}

export function isCurrencyCode(text: string): boolean {
  return CURRENCY_CODES.has(text);
}
