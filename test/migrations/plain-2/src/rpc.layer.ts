import { CallHandler, CanActivate, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { map, Observable } from 'rxjs';

@Injectable()
export class TagInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((result: any) => {
        if (result?.content?.[0]?.text !== undefined) result.content[0].text += ' [tagged]';
        return result;
      }),
    );
  }
}

@Injectable()
export class CallGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'rpc') return true;
    return context.getHandler().name !== 'forbidden';
  }
}
