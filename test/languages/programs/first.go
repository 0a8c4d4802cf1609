package main

import (
	"github.com/aws/jsii-runtime-go"
	"github.com/cdk8s-aso/cdk8s-aso-go/cdk8saso"
	"github.com/cdk8s-aso/cdk8s-aso-go/cdk8saso/resources"
	"github.com/cdk8s-aso/cdk8s-aso-go/cdk8saso/storage"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
	"github.com/cdk8s-team/cdk8s-plus-go/cdk8splus27/v2"
)

func main() {
	app := cdk8s.NewApp(nil)
	chart := cdk8s.NewChart(app, jsii.String("orders"), &cdk8s.ChartProps{Namespace: jsii.String("orders")})
	group := resources.NewResourceGroup(chart, jsii.String("group"), &resources.ResourceGroupProps{
		Location: cdk8saso.Region_UK_SOUTH(),
		Tags:     &map[string]*string{"team": jsii.String("orders")},
	})
	account := storage.NewStorageAccount(chart, jsii.String("account"), &storage.StorageAccountProps{
		Owner:                 group,
		AzureName:             jsii.String("orders2f8f11"),
		Location:              cdk8saso.Region_UK_SOUTH(),
		Kind:                  storage.StorageAccountKind_STORAGE_V2,
		Sku:                   &storage.Sku{Name: storage.SkuName_STANDARD_LRS},
		AllowBlobPublicAccess: jsii.Bool(false),
	})
	cdk8splus27.NewDeployment(chart, jsii.String("api"), &cdk8splus27.DeploymentProps{
		Containers: &[]*cdk8splus27.ContainerProps{{
			Image:        jsii.String("registry.example/api:1"),
			EnvVariables: &map[string]cdk8splus27.EnvValue{"BLOBS": account.Outputs().BlobEndpoint().EnvValue()},
		}},
	})
	app.Synth()
}
