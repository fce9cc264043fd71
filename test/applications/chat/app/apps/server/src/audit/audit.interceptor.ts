import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ClsService } from 'nestjs-cls';

/** Tells services who acts, by the context of the request. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(private readonly cls: ClsService) {}

  intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<{ raw: { actor?: string } }>();
    this.cls.set('actor', request.raw.actor ?? 'nobody');
    return next.handle();
  }
}
