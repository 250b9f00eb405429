/** Charges of a stay: its parts beside the nights, and their names. */
import type { StayPrice } from './pricing.ts';
import { type Locale, TAX_KINDS, type TaxDue } from './property.ts';

export const CHARGE_KINDS = ['cleaning', ...TAX_KINDS] as const;

/** The cleaning fee, or what one tax rule comes to. */
export interface Charge {
  readonly code: string;
  readonly kind: (typeof CHARGE_KINDS)[number];
  /** Added to the total, in minor units. */
  readonly amount: bigint;
  /** The tax within the price, in minor units; null where the rule adds its amount. */
  readonly included: bigint | null;
  readonly due: TaxDue;
}

const CLEANING_FEE_CODE = 'cleaning-fee';

/** The cleaning fee first, then the tax rules as they run, without what comes to nothing. Amounts sum to fee and taxes. */
export function chargesOf({ cleaningFee, taxLines }: Pick<StayPrice, 'cleaningFee' | 'taxLines'>): Charge[] {
  const cleaning: Charge = {
    code: CLEANING_FEE_CODE,
    kind: 'cleaning',
    amount: BigInt(cleaningFee),
    included: null,
    due: 'booking',
  };
  const charges = [
    cleaning,
    ...taxLines.map(({ code, kind, amount, included, due }) => ({ code, kind, amount, included, due })),
  ];
  return charges.filter(({ amount, included }) => amount > 0n || (included ?? 0n) > 0n);
}

// Names, as travellers read them on a page or in a partner's application.

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
  { code, kind }: Pick<Charge, 'code' | 'kind'>,
  locale: Locale,
): string | undefined {
  const { taxes, cityTax } = CHARGE_NAMES[locale];
  const known = code.toLowerCase().replaceAll('_', '-');
  if (Object.hasOwn(taxes, known)) return taxes[known];
  return kind === 'city_tax' ? cityTax : undefined;
}
