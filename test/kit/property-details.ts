/** A property of which everything is said that the traveller's page can show. */
import type { PropertyDetails } from '../../src/domain/property-details.ts';

export const DETAILS: PropertyDetails = {
  images: [
    {
      src: 'ponte/front.svg',
      alt: { 'it-IT': 'La facciata', 'en-GB': 'The front' },
      width: 1200,
      height: 800,
    },
    { src: 'https://cdn.example.com/room.jpg', alt: 'La camera', width: 800, height: 600 },
  ],
  checkIn: { from: '15:00', until: '22:00' },
  checkOut: { until: '10:30' },
  cancellation: [
    { daysBefore: 14, refundPercent: '100' },
    { daysBefore: 3, refundPercent: '50' },
  ],
  payment: [
    { due: 'booking', daysBefore: null, percent: '30' },
    { due: 'daysBefore', daysBefore: 30, percent: '70' },
  ],
  houseRules: { 'it-IT': 'Niente feste.', 'en-GB': 'No parties.' },
  registrationNumber: 'IT027042A1B2C3D4E5',
  seller: 'Ponte Srl, Venezia',
};

export const LEAST_DOCUMENT = {
  propertyId: 'hotel-ponte',
  name: 'Hotel Ponte',
  propertyType: 'hotel',
  location: { city: 'Venezia', country: 'IT' },
  bathrooms: 1.5,
  currency: 'EUR',
  timezone: 'Europe/Rome',
  inventoryTypes: [{ inventoryTypeId: 'double', name: 'Double', guestsMax: 2 }],
};
