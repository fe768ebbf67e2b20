// The heading of a column that sorts by it.
export function SortHead(props: {
  label: string;
  isSorted: boolean;
  isDescending: boolean;
  onSort: () => void;
}) {
  const direction = () => (props.isSorted ? (props.isDescending ? 'descending' : 'ascending') : 'none');
  return (
    <th scope="col" aria-sort={direction()}>
      <button type="button" onClick={() => props.onSort()}>
        {props.label}
        <span aria-hidden="true">{props.isSorted ? (props.isDescending ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
}
