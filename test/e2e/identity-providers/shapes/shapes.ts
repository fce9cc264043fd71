import type { ProviderShape } from '../provider-shape.interface.js';
import { clerk, clerkForAll, supabase, supabaseByClient } from './clerk-and-supabase.js';
import { cognito, cognitoByClient, entra } from './clouds.js';
import { google } from './google.js';
import { auth0, okta, workos } from './hosted.js';
import { authentik, authentikTolerated, dex, keycloak } from './self-hosted.js';
import { zitadel, zitadelJwt } from './zitadel.js';

/** What is tried of the pages. */
export const SHAPES: readonly ProviderShape[] = [
  auth0,
  authentik,
  authentikTolerated,
  clerk,
  clerkForAll,
  cognito,
  cognitoByClient,
  dex,
  entra,
  google,
  keycloak,
  okta,
  supabase,
  supabaseByClient,
  workos,
  zitadel,
  zitadelJwt,
];
