import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities } from '@modelcontextprotocol/client';
import { APP_MIME_TYPE, APPS_EXTENSION_ID } from '../../lib/core/protocol/apps/app-meta.js';
import { TASKS_EXTENSION } from '../../lib/core/protocol/meta-keys.js';

const APPS = { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] } };

/** What the page can do for every server. */
export const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: APPS,
};

/** Says with one request that the page takes tasks besides: its user decides for each call. */
export const TAKES_TASKS: Readonly<Record<string, unknown>> = {
  [CLIENT_CAPABILITIES_META_KEY]: { ...CAPABILITIES, extensions: { ...APPS, [TASKS_EXTENSION]: {} } },
};
