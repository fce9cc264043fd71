import type { Claims } from '../../../../core/oauth/access-token.js';
import { findRevision, NEWEST_HANDSHAKE_REVISION } from '../../../../core/protocol/revisions.js';
import type { Authentication, AuthMethod } from '../../../context/authentication.js';
import type { CallOrigin, ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { TaskCall, TaskRecord } from '../../../settings/extensions/task-store.interface.js';

/** Records what another process needs to run a call again. */
export function recordCall(context: ExtensionContext): TaskCall {
  const { revision, params, client, auth, operation, transport } = context;
  const { authentication } = auth;
  const trace = operation?.carried;
  return {
    version: revision.version,
    params,
    client: { capabilities: client.capabilities, ...(client.info && { info: client.info }) },
    ...(authentication && { authentication: recordAuthentication(authentication) }),
    ...(transport && { transport }),
    ...(trace && { trace }),
  };
}

/** Restores the origin of a call that another process received. */
export function restoreOrigin({ call, owner }: TaskRecord): CallOrigin {
  const { version, client, authentication, transport, trace } = call;
  return {
    revision: findRevision(version) ?? NEWEST_HANDSHAKE_REVISION,
    client,
    identity: owner,
    transport,
    ...(trace && { operation: { carried: trace } }),
    ...(authentication && {
      authentication: restoreAuthentication(authentication as RecordedAuthentication),
    }),
  };
}

type RecordedAuthentication = {
  readonly method: AuthMethod;
  readonly claims: Claims;
  readonly scopes: readonly string[];
  readonly identity: string;
};

function recordAuthentication({ scopes, ...rest }: Authentication): RecordedAuthentication {
  return { ...rest, scopes: [...scopes] };
}

function restoreAuthentication({ scopes, ...rest }: RecordedAuthentication): Authentication {
  return { ...rest, scopes: new Set(scopes) };
}
