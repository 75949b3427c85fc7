module example.com/rollcall-suite

go 1.19
