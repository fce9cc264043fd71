import type { Icon } from 'nestjs-mcp';

export const deskIcon = drawIcon('M3 8h18v3H3zM5 11h2v8H5zM17 11h2v8h-2zM8 4h8v3H8z');
export const ticketIcon = drawIcon('M3 7h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4z');
export const searchIcon = drawIcon(
  'M10 3a7 7 0 1 0 4.2 12.6l5 5 1.6-1.6-5-5A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
);
export const openIcon = drawIcon('M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z');
export const closeIcon = drawIcon('M9.5 18.5 3 12l1.6-1.6 4.9 4.9L19.4 5.4 21 7z');
export const auditIcon = drawIcon('M5 3h14v18H5zM8 7h8v2H8zM8 11h8v2H8zM8 15h5v2H8z');

/** An icon without a file: clients show it wherever they list what the desk offers. */
function drawIcon(path: string): Icon {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${path}" fill-rule="evenodd"/></svg>`;
  return {
    src: `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`,
    mimeType: 'image/svg+xml',
    sizes: ['any'],
  };
}
