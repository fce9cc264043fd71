import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Request } from 'express';

export const SECRET = 'a-secret-for-development-of-32-characters';
export const allowUnauthenticatedAccess = true;

@Injectable()
export class JwtGuard implements CanActivate {
  private readonly jwt = new JwtService({ secret: SECRET });

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: unknown }>();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer') return allowUnauthenticatedAccess;
    try {
      request.user = this.jwt.verify(token);
      return true;
    } catch {
      return false;
    }
  }
}
