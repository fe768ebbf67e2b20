// The patterns of the fields, so that they can be told apart without colour.

export function patternOf(id: string, field: number): string {
  return `url(#${id}-${field % 6})`;
}

export function Patterns(props: { id: string }) {
  return (
    <defs>
      <pattern id={`${props.id}-0`} width="6" height="6" patternUnits="userSpaceOnUse" />
      <pattern id={`${props.id}-1`} class="weave" width="7" height="7" patternUnits="userSpaceOnUse">
        <path d="M0 7L7 0" />
      </pattern>
      <pattern id={`${props.id}-2`} class="weave" width="6" height="6" patternUnits="userSpaceOnUse">
        <circle cx="3" cy="3" r="0.9" />
      </pattern>
      <pattern id={`${props.id}-3`} class="weave" width="7" height="7" patternUnits="userSpaceOnUse">
        <path d="M0 0L7 7" />
      </pattern>
      <pattern id={`${props.id}-4`} class="weave" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M0 3H6" />
      </pattern>
      <pattern id={`${props.id}-5`} class="weave" width="7" height="7" patternUnits="userSpaceOnUse">
        <path d="M0 0L7 7M0 7L7 0" />
      </pattern>
    </defs>
  );
}
