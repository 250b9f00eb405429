/** The picture of sandbox properties: drawn here, so that test tokens need no folder of pictures. */
import { type Asset, makeAsset } from './assets.ts';

export const TEST_PICTURE_WIDTH = 1_200;
export const TEST_PICTURE_HEIGHT = 800;

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800">\
<rect width="1200" height="800" fill="#cfe3ee"/><circle cx="930" cy="180" r="80" fill="#f6d186"/>\
<path d="M0 620 300 380 520 560 760 330 1200 640V800H0Z" fill="#7fa88b"/>\
<path d="M420 470h360v260H420Z" fill="#f7f4ef"/><path d="M390 480 600 320 810 480Z" fill="#a4553b"/>\
<path d="M560 590h80v140h-80Z" fill="#6b4a3a"/><path d="M460 530h70v70h-70ZM670 530h70v70h-70Z" fill="#9cc3d5"/>\
<text x="600" y="775" text-anchor="middle" font-family="sans-serif" font-size="34" fill="#1d3327">TEST</text></svg>`;

let asset: Asset | undefined;

/** Made on first use. */
export function testPicture(): Asset {
  return (asset ??= makeAsset('test-picture', 'svg', Buffer.from(DRAWING), true));
}
