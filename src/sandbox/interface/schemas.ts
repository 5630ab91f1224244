import { z } from 'zod';

export type Schema = { readonly [member: string]: z.infer<ReturnType<typeof z.json>> };

/**
 * A schema of the table as JSON Schema (2020-12). Of what is taken in, the first type of a union is the interface's, as in
 * `versions/loose-types.ts`; the others are leniency, and nobody is told to rely on it.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: json }) {
      const lenient = io === 'input' && zodSchema instanceof z.ZodUnion;
      if (lenient && !(zodSchema instanceof z.ZodDiscriminatedUnion)) {
        Object.assign(json, { ...json.anyOf?.[0], ...json, anyOf: undefined });
      }
      // The bounds of what a double counts exactly are no limits of the interface.
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
    },
  });
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(made)));
}

export type Parameter = { readonly name: string; readonly required: boolean; readonly schema: Schema };

/** The parameters of an operation: in one list, or in several where it has several forms. */
export function parametersOf(input: z.ZodType): readonly (readonly Parameter[])[] {
  if (input instanceof z.ZodUnion)
    return input.options.flatMap((form) => (form instanceof z.ZodType ? parametersOf(form) : []));
  if (!(input instanceof z.ZodObject)) throw new Error('the input of an operation is an object');
  const shape: Readonly<Record<string, unknown>> = input.shape;
  const parameters = Object.entries(shape).flatMap(([name, field]): Parameter[] => {
    if (!(field instanceof z.ZodType) || isNever(field)) return [];
    return [{ name, required: !field.safeParse(undefined).success, schema: jsonSchema(field, 'input') }];
  });
  return [parameters];
}

function isNever(field: z.ZodType): boolean {
  return field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodUndefined;
}
