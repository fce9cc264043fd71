import type { ClientRequest } from '../../core/protocol/client-requests.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import { AuditError } from '../audit/audit.error.js';
import type { AuditedCall } from '../audit/audited-call.js';
import type { BroughtAnswer, CallOperation, SendQuestion } from '../context/call-operation.interface.js';
import type { FollowedCall } from '../telemetry/followed-call.js';
import { findHiddenReason, selectRefusalOf, type RefusalReason } from '../telemetry/refusal-reason.js';
import type { FollowedRequest } from './followed-request.interface.js';

/** A request as telemetry and the audit follow it, whichever of them there is. */
export class WatchedCall implements CallOperation {
  /** Why the request was refused before its method was asked, if it was. */
  refusal: RefusalReason | undefined;
  /** Whether its answer was reported. */
  hasEnded = false;
  /** Whether its answer lasts until its client hangs up, or the server ends. */
  isListening = false;
  /** The id that the caller got with an internal error. */
  incident: string | undefined;

  constructor(
    readonly request: FollowedRequest,
    /** Absent if there is no telemetry. */
    readonly followed: FollowedCall | undefined,
    /** Absent if nobody audits. */
    readonly audited: AuditedCall | undefined,
  ) {}

  run<Result>(act: () => Result): Result {
    return this.followed === undefined ? act() : this.followed.run(act);
  }

  get spanContext(): FollowedCall['spanContext'] {
    return this.followed?.spanContext;
  }

  get carried(): FollowedCall['carried'] {
    return this.followed?.carried;
  }

  /** Notes that the request was refused. */
  refuse(error: McpError): void {
    this.refusal = error instanceof AuditError ? 'audit_unavailable' : selectRefusalOf(error);
  }

  follow<Answer>(request: ClientRequest, send: SendQuestion<Answer>): Promise<Answer> {
    const { followed, audited } = this;
    const ask = (): Promise<Answer> =>
      followed === undefined ? send(request, () => undefined) : followed.follow(request, send);
    return audited === undefined ? ask() : audited.follow(request, ask);
  }

  note(request: ClientRequest): ClientRequest {
    this.audited?.note(request);
    return this.followed?.note(request) ?? request;
  }

  noteAnswer(brought: BroughtAnswer): void {
    this.audited?.noteAnswer(brought);
  }

  noteFailure(failure: unknown): void {
    this.refusal ??= findHiddenReason(failure);
  }

  noteIncident(incident: string): void {
    this.incident = incident;
    if (this.audited !== undefined) this.audited.incident = incident;
  }

  noteRepair(tool: string, members: number): void {
    this.followed?.noteRepair(tool, members);
  }

  noteTask(taskId: string): void {
    if (this.audited !== undefined) this.audited.task = taskId;
  }

  noteListening(): Promise<void> | undefined {
    this.isListening = true;
    const kept = this.audited?.noteListening();
    return kept && assertKept(kept);
  }
}

async function assertKept(kept: Promise<McpError | undefined>): Promise<void> {
  const failure = await kept;
  if (failure !== undefined) throw failure;
}
