import { z } from 'zod';

/**
 * The parameters whose values are of another type than the interface gives them, each in a sentence. Where a field takes
 * several types, the first of its union is the interface's, and the others are leniency.
 */
export function looseTypes(
  input: z.ZodType,
  raw: Readonly<Record<string, unknown>>,
): readonly { readonly name: string; readonly why: string }[] {
  if (!(input instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, unknown>> = input.shape;
  return Object.entries(shape).flatMap(([name, field]) => {
    const value = raw[name];
    if (value === undefined || fits(field, value)) return [];
    const given = Array.isArray(value) ? 'holds values' : `is a ${typeof value}`;
    return [{ name, why: `\`${name}\` ${given}: not of the type that the interface gives it` }];
  });
}

function fits(field: unknown, value: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return fits(field.unwrap(), value);
  if (field instanceof z.ZodPipe)
    return fits(field.in instanceof z.ZodTransform ? field.out : field.in, value);
  if (field instanceof z.ZodArray)
    return Array.isArray(value) && value.every((one) => fits(field.element, one));
  if (!(field instanceof z.ZodUnion)) return true;
  const [documented] = field.options;
  return documented instanceof z.ZodType && documented.safeParse(value).success;
}
