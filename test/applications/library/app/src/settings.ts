import { Injectable } from '@nestjs/common';

@Injectable()
export class Settings {
  get appConfig() {
    return { port: this.getNumber('PORT') };
  }

  private getNumber(name: string): number {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set`);
    return Number(value);
  }
}
