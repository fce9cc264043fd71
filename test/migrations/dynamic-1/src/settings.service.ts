import { Injectable, Module } from '@nestjs/common';

@Injectable()
export class SettingsService {
  get(name: string, otherwise: string): string {
    return process.env[name] ?? otherwise;
  }
}

@Module({ providers: [SettingsService], exports: [SettingsService] })
export class SettingsModule {}
