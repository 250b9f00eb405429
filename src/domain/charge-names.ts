/** Names of taxes and fees by their codes, as travellers read them on a page or in a partner's application. */
import type { Locale, TaxKind } from './property.ts';

interface ChargeNames {
  readonly cleaningFee: string;
  /** Taxes of a city whose code has no name here. */
  readonly cityTax: string;
  /** By code, in small letters with hyphens. */
  readonly taxes: Readonly<Record<string, string>>;
}

export const CHARGE_NAMES: Readonly<Record<Locale, ChargeNames>> = {
  'en-GB': {
    cleaningFee: 'Cleaning fee',
    cityTax: 'City tax',
    taxes: {
      vat: 'VAT',
      iva: 'VAT',
      'city-tax': 'City tax',
      'imposta-di-soggiorno': 'City tax',
      'contributo-di-soggiorno': 'City tax',
      'tourist-tax': 'Tourist tax',
      'service-charge': 'Service charge',
      'guest-pass': 'Guest pass',
      energia: 'Energy',
    },
  },
  'it-IT': {
    cleaningFee: 'Pulizia finale',
    cityTax: 'Imposta di soggiorno',
    taxes: {
      vat: 'IVA',
      iva: 'IVA',
      'city-tax': 'Imposta di soggiorno',
      'imposta-di-soggiorno': 'Imposta di soggiorno',
      'contributo-di-soggiorno': 'Contributo di soggiorno',
      'tourist-tax': 'Imposta di soggiorno',
      'service-charge': 'Servizio',
      'guest-pass': 'Tessera ospiti',
      energia: 'Energia',
    },
  },
};

/** Undefined for a code without a name, unless it is a tax of the city: operators write `City_Tax`, too. */
export function findTaxName(
  { code, kind }: { readonly code: string; readonly kind: TaxKind },
  locale: Locale,
): string | undefined {
  const { taxes, cityTax } = CHARGE_NAMES[locale];
  const known = code.toLowerCase().replaceAll('_', '-');
  if (Object.hasOwn(taxes, known)) return taxes[known];
  return kind === 'city_tax' ? cityTax : undefined;
}
