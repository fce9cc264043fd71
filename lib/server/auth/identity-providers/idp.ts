import { auth0 } from './auth0.js';
import { cognito } from './cognito.js';
import { entra } from './entra.js';
import { keycloak } from './keycloak.js';
import { okta } from './okta.js';
import { workos } from './workos.js';

/**
 * Returns the settings of tokens for identity providers, which differ in how they write their tokens. Spread a preset
 * to change a setting.
 *
 * @example
 * auth: {
 *   resourceUri: 'https://desk.example.com/mcp',
 *   authorizationServers: ['https://login.example.com/realms/desk'],
 *   jwt: { ...idp.keycloak({ url: 'https://login.example.com', realm: 'desk' }), clockToleranceSeconds: 30 },
 * },
 */
export const idp = { keycloak, auth0, entra, cognito, okta, workos } as const;
