import type { IncomingMessage } from 'node:http';
import { APP_FRAME_QUERY, type AppPageMessage } from '../../../../core/explorer/page-contract.js';
import { namesMediaType } from '../../../../core/protocol/headers/media-type.js';
import type { WholeAnswer } from './send-answer.js';

const MARK: AppPageMessage['explorer'] = 'app';

/**
 * Where the page shows an app: the page of the app is written into this document, which belongs to no origin and loads nothing.
 *
 * @see SEP-1865, "Sandbox proxy"
 */
const FRAME = Buffer.from(`<!doctype html>
<title>App</title>
<script>
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.explorer !== '${MARK}') return;
    document.open();
    document.write(data.html);
    document.close();
  });
</script>
`);

const HEADERS = {
  'Content-Security-Policy': [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': FRAME.length,
} as const;

/** Tells whether a GET request comes from the page for the frame of an app. No other page can send it. */
export function isForAppFrame({ url = '', headers }: IncomingMessage): boolean {
  if (!url.endsWith(APP_FRAME_QUERY) || !namesMediaType(headers.accept, 'text/html')) return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-fetch-site': site } = headers;
  return mode === 'navigate' && destination === 'iframe' && site === 'same-origin';
}

/** The frame, as it is sent. */
export const APP_FRAME: WholeAnswer = { status: 200, headers: HEADERS, body: FRAME };
