// Types that are told apart by name alone: a branded value is a plain one, and is taken wherever a plain one is.

declare const brand: unique symbol;

/** A plain value of which the compiler knows what it is. */
export type Branded<Plain, Name extends string> = Plain & { readonly [brand]: Name };
