import { CanActivate, ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    if (request.headers['x-api-key'] !== 'open sesame') throw new UnauthorizedException('The key is wrong');
    request.user = { name: 'Ada', scopes: ['catalog:read'], roles: ['editor'] };
    return true;
  }
}
