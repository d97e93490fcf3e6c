/** A block that moves along an arrow, for clients that show pictures of servers. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#1f3a5f"/>' +
  '<rect x="8" y="18" width="12" height="12" rx="2" fill="#fff"/>' +
  '<path d="M24 24h14M32 17l7 7-7 7" fill="none" stroke="#f2b134" stroke-width="4" stroke-linecap="round"/></svg>';

export const ICON = {
  src: `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
};
