/** Examples of the content family, about the property that the other examples are about. */
import type { PropertyContent, PropertyContentList } from './content-schemas.ts';
import { EXAMPLE_CITY, EXAMPLE_PROPERTY_ID, type OperationExamples } from './examples.ts';

const CONTENT: PropertyContent = {
  propertyId: EXAMPLE_PROPERTY_ID,
  images: [
    {
      url: 'https://localhost:8443/images/florence/courtyard.jpg?v=nGvB3cJqk0x',
      alt: 'The courtyard with bicycles under the lemon trees',
      width: 1600,
      height: 1067,
    },
  ],
  checkIn: { from: '15:00', until: '22:00' },
  checkOut: { until: '10:30' },
  cancellation: [
    { daysBefore: 14, refundPercent: '100' },
    { daysBefore: 3, refundPercent: '50' },
  ],
  payment: [
    { due: 'booking', daysBefore: null, percent: '30' },
    { due: 'arrival', daysBefore: null, percent: '70' },
  ],
  houseRules: 'Quiet after 22:00. No smoking.',
  registrationNumber: 'IT048017A1XXXXXXXX',
  seller: 'Locande Toscane',
  timezone: 'Europe/Rome',
  currency: 'EUR',
};

const LIST: PropertyContentList = {
  items: [CONTENT],
  pagination: { page: 1, pageSize: 20, total: 1, hasMore: false },
};

export function contentExamples(): OperationExamples {
  return {
    target: `/content/v1/properties/${EXAMPLE_PROPERTY_ID}?locale=en-GB`,
    parameters: { propertyId: EXAMPLE_PROPERTY_ID, locale: 'en-GB' },
    successes: { content: { summary: 'Pictures, times and terms', value: CONTENT } },
    faulty: { query: 'locale=fr-FR' },
  };
}

export function contentListExamples(): OperationExamples {
  return {
    target: `/content/v1/properties?city=${EXAMPLE_CITY}&locale=en-GB`,
    parameters: { city: EXAMPLE_CITY, locale: 'en-GB' },
    successes: { content: { summary: 'One page of content', value: LIST } },
    faulty: { query: 'pageSize=51' },
  };
}
