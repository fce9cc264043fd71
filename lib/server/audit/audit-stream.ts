import { Observable, Subscriber, type Observer, type Operator, type Subscription } from 'rxjs';
import { AuditReceiver, type ReceiverMeans } from './audit-receiver.js';

type Next<Value> = (value: Value) => void;

/**
 * An Observable whose subscribers harm nobody. An error of a subscriber in RxJS ends the process, and so does the
 * rejection of an `async` one. Here both go to the log. This holds behind operators too.
 */
export class AuditStream<Value> extends Observable<Value> {
  constructor(
    private readonly means: ReceiverMeans,
    begin?: (subscriber: Subscriber<Value>) => () => void,
  ) {
    super(begin);
  }

  /** What operators make of this one is of the same kind. */
  override lift<Result>(operator?: Operator<Value, Result>): Observable<Result> {
    const lifted = new AuditStream<Result>(this.means);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(observer?: Partial<Observer<Value>> | Next<Value>): Subscription;
  override subscribe(
    next?: Next<Value> | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription;
  override subscribe(
    given?: Partial<Observer<Value>> | Next<Value> | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // Operators and functions such as `firstValueFrom` subscribe in this way. They pass their own errors on.
    if (given instanceof Subscriber) return super.subscribe(given);
    const observer: Partial<Observer<Value>> =
      typeof given === 'function' || given === null || given === undefined
        ? { ...(given && { next: given }), ...(error && { error }), ...(complete && { complete }) }
        : given;
    const receiver = new AuditReceiver<Value>((value) => observer.next?.(value), this.means);
    const leave = this.means.onReceiver(receiver);
    const subscription = super.subscribe(guard(observer, receiver, this.means));
    subscription.add(leave);
    return subscription;
  }
}

function guard<Value>(
  observer: Partial<Observer<Value>>,
  receiver: AuditReceiver<Value>,
  means: ReceiverMeans,
): Observer<Value> {
  const complete = new AuditReceiver<void>(() => observer.complete?.(), means);
  return {
    next: (value) => receiver.take(value),
    error: (error) => {
      if (observer.error === undefined) return receiver.fail(error);
      new AuditReceiver<unknown>((fault) => observer.error?.(fault), means).take(error);
      receiver.fail(error);
    },
    complete: () => complete.take(),
  };
}
