import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Public } from './public.decorator';

export interface User {
  readonly name: string;
  readonly roles: readonly string[];
}

const USERS = new Map<string, User>([
  ['Bearer token-of-ada', { name: 'ada', roles: ['sales', 'admin'] }],
  ['Bearer token-of-sam', { name: 'sam', roles: ['sales'] }],
]);

@Injectable()
export class BearerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest();
    request.user = USERS.get(request.headers.authorization);
    if (request.user === undefined) throw new UnauthorizedException('A bearer token is required');
    return true;
  }
}
