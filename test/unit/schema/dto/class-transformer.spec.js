var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDate, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import 'reflect-metadata';
import { compileSchema } from '../../../../lib/schema/compile-schema.js';
import { valueOf } from '../issues-of.js';
describe('A DTO class with class-transformer decorators', () => {
    class Account {
    }
    __decorate([
        Expose({ name: 'full_name' }),
        IsString(),
        __metadata("design:type", String)
    ], Account.prototype, "fullName", void 0);
    __decorate([
        Exclude({ toPlainOnly: true }),
        IsOptional(),
        IsString(),
        __metadata("design:type", String)
    ], Account.prototype, "password", void 0);
    __decorate([
        Exclude(),
        IsOptional(),
        IsString(),
        __metadata("design:type", String)
    ], Account.prototype, "internal", void 0);
    __decorate([
        Type(() => Date),
        IsDate(),
        __metadata("design:type", Date)
    ], Account.prototype, "since", void 0);
    __decorate([
        Transform(({ value }) => value.trim()),
        IsIn(['free', 'paid']),
        __metadata("design:type", String)
    ], Account.prototype, "plan", void 0);
    const GIVEN = { full_name: 'Ann', password: 'x', since: '2026-01-02T00:00:00.000Z', plan: ' paid ' };
    it('lists exposed names and leaves out what is excluded (MOD-07)', () => {
        const { properties, required } = compileSchema(Account, 'input').jsonSchema;
        expect(properties).toEqual({
            full_name: { type: 'string' },
            password: { type: 'string' },
            since: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
            plan: { type: 'string', enum: ['free', 'paid'] },
        });
        expect(required).toEqual(['full_name', 'since', 'plan']);
    });
    it('gives the handler what transforms make of the arguments (MOD-07)', async () => {
        const account = (await valueOf(compileSchema(Account, 'input'), GIVEN));
        expect(account).toMatchObject({
            fullName: 'Ann',
            password: 'x',
            plan: 'paid',
            since: new Date(GIVEN.since),
        });
    });
    it('gives the client the plain object of a result, without what is excluded (MOD-08)', async () => {
        const schema = compileSchema(Account, 'output');
        expect(Object.keys(schema.jsonSchema['properties'])).toEqual(['full_name', 'since', 'plan']);
        const result = { full_name: 'Ann', since: new Date(0), plan: 'free' };
        const value = await valueOf(schema, result);
        expect(JSON.parse(JSON.stringify(value))).toEqual({
            full_name: 'Ann',
            since: '1970-01-01T00:00:00.000Z',
            plan: 'free',
        });
    });
    it('names a discriminator and its values (MOD-07)', async () => {
        class Pet {
        }
        __decorate([
            IsString(),
            __metadata("design:type", String)
        ], Pet.prototype, "name", void 0);
        class Cat extends Pet {
        }
        class Pets {
        }
        __decorate([
            ValidateNested(),
            Type(() => Pet, { discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] } }),
            __metadata("design:type", Pet)
        ], Pets.prototype, "pet", void 0);
        const pets = compileSchema(Pets, 'input');
        expect(pets.jsonSchema).toMatchObject({
            properties: { pet: { type: 'object', properties: { kind: { enum: ['cat'] } }, required: ['kind'] } },
        });
        expect(await valueOf(pets, { pet: { kind: 'cat', name: 'x' } })).toMatchObject({ pet: new Cat() });
    });
});
