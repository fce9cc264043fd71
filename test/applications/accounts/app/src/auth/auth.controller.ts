import { Body, Controller, Post, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { UsersService } from '../users/users.service';
import { LoginDto } from './login.dto';

@Controller({ path: 'auth', version: '1' })
export class AuthController {
  constructor(
    private readonly users: UsersService,
    private readonly jwt: JwtService,
  ) {}

  @Post('login')
  async login(@Body() { email, password }: LoginDto) {
    const user = await this.users.findByEmail(email);
    if (user?.password !== password) throw new UnauthorizedException();
    return { token: this.jwt.sign({ sub: user.id, role: user.role }) };
  }
}
