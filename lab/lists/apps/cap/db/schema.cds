namespace lab;

entity Rows {
  key ID : Integer;
  name : String;
}
