import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';

@Injectable()
export class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    return request?.user?.user_data?.staff === true;
  }
}
