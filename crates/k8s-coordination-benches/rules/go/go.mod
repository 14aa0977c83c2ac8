module example.com/rules

go 1.24

require github.com/google/cel-go v0.26.1
