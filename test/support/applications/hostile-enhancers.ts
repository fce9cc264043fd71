import {
  Catch,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';

/** Answers whatever goes wrong with a teapot. */
@Catch()
export class TeapotFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(_: unknown, host: ArgumentsHost): void {
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { teapot: true }, 418);
  }
}

/** Wraps whatever is answered. */
@Injectable()
export class WrappingInterceptor implements NestInterceptor {
  calls = 0;

  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.calls += 1;
    return next.handle().pipe(map((answer: unknown) => ({ wrapped: answer ?? null })));
  }
}

/** Takes nothing for what it is. */
export class RefusingPipe implements PipeTransform {
  transform(): never {
    throw new Error('nothing passes');
  }
}
