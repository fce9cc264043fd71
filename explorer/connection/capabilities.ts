import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities } from '@modelcontextprotocol/client';
import { APP_MIME_TYPE, APPS_EXTENSION_ID } from '../../lib/core/protocol/apps/app-meta.js';
import { TASKS_EXTENSION } from '../../lib/core/protocol/meta-keys.js';

const APPS = { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] } };

/** The capabilities that the page declares to every server. */
export const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: APPS,
};

/** Declares for one request that the page supports tasks, which the user decides per call. */
export const WITH_TASKS: Readonly<Record<string, unknown>> = {
  [CLIENT_CAPABILITIES_META_KEY]: { ...CAPABILITIES, extensions: { ...APPS, [TASKS_EXTENSION]: {} } },
};
