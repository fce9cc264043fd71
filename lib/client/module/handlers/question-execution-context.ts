import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';

/**
 * A question as guards and interceptors see it. Nest takes the first argument for the request, or for the client of a socket.
 * Here the first argument is what the server wrote: a guard that asked it for the user would believe the server.
 */
class QuestionExecutionContext extends ExecutionContextHost {
  override switchToHttp(): ReturnType<ExecutionContextHost['switchToHttp']> {
    return Object.assign(this, { getRequest: nothing, getResponse: nothing, getNext: nothing });
  }

  override switchToWs(): ReturnType<ExecutionContextHost['switchToWs']> {
    return Object.assign(super.switchToWs(), { getClient: nothing, getData: () => this.getArgByIndex(0) });
  }
}

/** Shows guards a question as what it is. */
export class QuestionGuardsConsumer extends GuardsConsumer {
  override createContext(...[args, instance, callback]: Parameters<GuardsConsumer['createContext']>) {
    return new QuestionExecutionContext(args, classOf(instance), callback);
  }
}

/** Shows interceptors a question as what it is. */
export class QuestionInterceptorsConsumer extends InterceptorsConsumer {
  override createContext(...[args, instance, callback]: Parameters<InterceptorsConsumer['createContext']>) {
    return new QuestionExecutionContext(args, classOf(instance), callback);
  }
}

function classOf(instance: object): ConstructorParameters<typeof ExecutionContextHost>[1] {
  return instance.constructor as ConstructorParameters<typeof ExecutionContextHost>[1];
}

function nothing(): never {
  return undefined as never;
}
