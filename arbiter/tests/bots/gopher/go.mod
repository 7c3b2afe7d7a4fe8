module gopher

go 1.18
