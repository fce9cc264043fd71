import {
  Body,
  Controller,
  Get,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  SerializeOptions,
  UseGuards,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { I18n, I18nContext } from 'nestjs-i18n';
import { Roles, RolesGuard } from '../auth/roles.guard';
import { CreateUserDto, ListUsersDto } from './create-user.dto';
import { UsersService } from './users.service';

@Controller({ path: 'users', version: '1' })
@UseGuards(AuthGuard('jwt'), RolesGuard)
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  async list(@Query() { limit }: ListUsersDto) {
    return { users: await this.users.list(limit), hasNextPage: false };
  }

  @Post()
  @Roles(['admin'])
  @SerializeOptions({ groups: ['admin'] })
  create(@Body() input: CreateUserDto) {
    return this.users.create(input);
  }

  @Get(':id')
  async open(@Param('id', ParseIntPipe) id: number, @I18n() i18n: I18nContext) {
    const user = await this.users.findById(id);
    if (user === null) throw new NotFoundException(i18n.t('users.notFound', { args: { id } }));
    return user;
  }
}
