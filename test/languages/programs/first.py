from cdk8s import App, Chart
from cdk8s_aso import Region, resources, storage
from cdk8s_plus_27 import ContainerProps, Deployment

app = App()
chart = Chart(app, 'orders', namespace='orders')
group = resources.ResourceGroup(chart, 'group', location=Region.UK_SOUTH, tags={'team': 'orders'})
account = storage.StorageAccount(
    chart,
    'account',
    owner=group,
    azure_name='orders2f8f11',
    location=Region.UK_SOUTH,
    kind=storage.StorageAccountKind.STORAGE_V2,
    sku=storage.Sku(name=storage.SkuName.STANDARD_LRS),
    allow_blob_public_access=False,
)
env = {'BLOBS': account.outputs.blob_endpoint.env_value}
Deployment(chart, 'api', containers=[ContainerProps(image='registry.example/api:1', env_variables=env)])
app.synth()
