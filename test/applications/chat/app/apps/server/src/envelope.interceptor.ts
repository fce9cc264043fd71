import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map } from 'rxjs';

/** Every answer is `{ data, success, status }`. */
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const { statusCode } = context.switchToHttp().getResponse<{ statusCode: number }>();
    return next.handle().pipe(map((data: unknown) => ({ data, success: true, status: statusCode })));
  }
}
