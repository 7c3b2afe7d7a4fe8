module mobility

go 1.18
