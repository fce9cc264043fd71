import type { AuthError } from '../../../core/oauth/auth.error.js';
import type { AccessPolicy } from '../../auth/access/access-policy.js';
import { RequestAuth } from '../../context/request-auth.js';
import { limitTime } from '../../methods/time-limit.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { Call, Judgement, Step } from '../step.js';
import type { EntryVisibility } from './visibility.js';

/**
 * Demands a token where one is missing, and refuses for scopes that are declared, unless the answer depends on what the
 * caller sees or on the arguments.
 */
export class Access implements Step {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly visibility: EntryVisibility,
  ) {}

  get isWanted(): boolean {
    return this.policy.isRestricting;
  }

  watch(listener: () => void): void {
    this.policy.declared.watch(listener);
  }

  open(call: Call): void {
    const { request, arrival, context } = call;
    if (arrival.auth === undefined) {
      const { authentication, channel, peer } = arrival;
      const requester = { authentication, isLocal: channel.isPipe, revision: peer.revision };
      call.authorization = this.policy.authorize(request, requester);
      context.auth = call.authorization.auth;
      channel.restrictTo?.(context.auth);
    }
    if (context.auth instanceof RequestAuth) context.auth.belongTo(context);
  }

  refuse(call: Call): AuthError | undefined {
    const { authorization } = call;
    const refusal = authorization?.refusal;
    if (refusal === undefined || call.isAdmitted) return undefined;
    // A missing token is demanded in any case.
    if (refusal.code === 401) return refusal;
    return authorization?.dependsOnArguments === true || this.visibility.concerns(call) ? undefined : refusal;
  }

  judge(calls: readonly Call[]): Judgement {
    const refusal = findRefusalOfAll(this.policy, calls);
    if (refusal?.code === 401) return refusal;
    if (calls.some(({ authorization }) => authorization?.dependsOnArguments === true)) return 'later';
    const mayChange =
      refusal !== undefined || calls.some(({ arrival }) => arrival.authentication === undefined);
    return mayChange && calls.some((call) => this.visibility.concerns(call)) ? 'later' : refusal;
  }
}

/** Refuses for scopes that are declared, once it is known what the caller sees. */
export class DeclaredScopes implements Step {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly visibility: EntryVisibility,
  ) {}

  get isWanted(): boolean {
    return this.policy.isRestricting && this.visibility.isWanted;
  }

  judge(calls: readonly Call[]): Judgement {
    // One challenge names those of the arguments too.
    if (calls.some(({ authorization }) => authorization?.dependsOnArguments === true)) return 'later';
    return findRefusalOfAll(this.policy, calls);
  }
}

/** Asks the application for scopes that depend on the arguments, and refuses for them. */
export class ArgumentScopes implements Step {
  readonly asksApplication = true;

  constructor(
    private readonly policy: AccessPolicy,
    private readonly settings: Pick<ServerSettings, 'callTimeoutMs'>,
  ) {}

  get isWanted(): boolean {
    return this.policy.declared.hasDynamic;
  }

  admit({ authorization, context }: Call): Promise<void> | undefined {
    if (authorization?.dependsOnArguments !== true) return undefined;
    return limitTime(context, this.settings.callTimeoutMs, () => authorization.decideByArguments(context));
  }

  judge(calls: readonly Call[]): Judgement {
    return findRefusalOfAll(this.policy, calls);
  }
}

function findRefusalOfAll(policy: AccessPolicy, calls: readonly Call[]): AuthError | undefined {
  const authorizations = calls.map(({ authorization }) => authorization);
  return policy.findBatchRefusal(authorizations, calls[0]?.arrival.authentication);
}
