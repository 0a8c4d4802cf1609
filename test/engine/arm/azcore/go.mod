module cdk8s-aso/azcore

go 1.24.0

require github.com/Azure/azure-sdk-for-go/sdk/azcore v1.19.1

require (
	github.com/Azure/azure-sdk-for-go/sdk/internal v1.11.2 // indirect
	golang.org/x/net v0.43.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)
